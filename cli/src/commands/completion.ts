// Shell completion, generated from the table of commands.
import { type Argument, type Command, globals, type Options } from '../table.ts'

/** Differences between the shells: where they store the words of the line, and how they take suggestions. */
type Dialect = {
  begin: string
  word: string
  first: number
  current: string
  next: string
  before: string
  offerValues(values: readonly string[]): string
  offer: string
  offerFiles: string
  end: string
}

const shells = ['bash', 'zsh'] as const

const dialects: Record<(typeof shells)[number], Dialect> = {
  bash: {
    begin: '# bash completion of vostro',
    word: `\${COMP_WORDS[COMP_CWORD]}`,
    first: 1,
    current: 'COMP_CWORD',
    next: `\${COMP_WORDS[at]}`,
    before: `\${COMP_WORDS[COMP_CWORD-1]}`,
    offerValues: (values) => `COMPREPLY=($(compgen -W '${values.join(' ')}' -- "$word"))`,
    offer: 'COMPREPLY=($(compgen -W "$offered" -- "$word"))',
    offerFiles: 'COMPREPLY+=($(compgen -f -- "$word"))',
    end: 'complete -F _vostro vostro',
  },
  zsh: {
    begin: '#compdef vostro\n# zsh completion of vostro',
    word: '$words[CURRENT]',
    first: 2,
    current: 'CURRENT',
    next: '$words[at]',
    before: '$words[CURRENT-1]',
    offerValues: (values) => `compadd -- ${values.join(' ')}`,
    offer: `compadd -- \${=offered}`,
    offerFiles: '_files',
    end: 'compdef _vostro vostro',
  },
}

export const completionCommands: readonly Command[] = [
  {
    words: ['completion'],
    summary: 'Print a completion script for the shell.',
    details: 'bash: eval "$(vostro completion bash)"   zsh, after compinit: eval "$(vostro completion zsh)"',
    args: [{ name: 'SHELL', describe: 'The shell.', choices: shells }],
    async run({ args: [name], commands, out }) {
      // The parser accepts only the choices.
      const script = scriptFor(dialects[name as keyof typeof dialects], commands)
      out.result({ script }, script.trimEnd())
    },
  },
]

/** The words that can follow each prefix of a command. */
function nodesOf(commands: readonly Command[]): { words: readonly string[]; next: string[]; command: Command | undefined }[] {
  const places = new Map<string, readonly string[]>([['', []]])
  for (const { words } of commands) for (let at = 1; at <= words.length; at++) places.set(words.slice(0, at).join(' '), words.slice(0, at))
  return [...places.values()].map((words) => ({
    words,
    next: [
      ...new Set(
        commands.filter((one) => words.every((word, at) => one.words[at] === word)).flatMap((one) => one.words[words.length] ?? []),
      ),
    ],
    command: commands.find((one) => one.words.join(' ') === words.join(' ')),
  }))
}

const optionNames = (options: Options): string[] => Object.keys(options).map((name) => `--${name}`)

/** The possible values of an option or argument. */
const choicesOf = (args: readonly Argument[] = []): string[] => args.flatMap(({ choices = [] }) => choices)

const takesFile = ({ args = [], options = {} }: Command): boolean => args.some(({ file }) => file) || 'data' in options

/** The values of options, by command and option. */
function optionValues(commands: readonly Command[]): { place: string; values: readonly string[] }[] {
  return commands.flatMap(({ words, options = {} }) =>
    Object.entries(options).flatMap(([name, { choices }]) =>
      choices === undefined ? [] : [{ place: `${words.join(' ')} --${name}`, values: choices }],
    ),
  )
}

const valued = (commands: readonly Command[]): string[] => {
  const all = [globals, ...commands.map(({ options = {} }) => options)]
  return [
    ...new Set(
      all.flatMap((options) => Object.entries(options).flatMap(([name, { value }]) => (value === undefined ? [] : [`--${name}`]))),
    ),
  ]
}

function caseLines(commands: readonly Command[], indent: string): string[] {
  return nodesOf(commands).flatMap(({ words, next, command }) => {
    const offered = [...next, ...choicesOf(command?.args), ...optionNames({ ...command?.options, ...globals })]
    return [
      `${indent}'${words.join(' ')}') offered='${offered.join(' ')}'${command !== undefined && takesFile(command) ? ' files=yes' : ''} ;;`,
    ]
  })
}

function scriptFor(dialect: Dialect, commands: readonly Command[]): string {
  const places = nodesOf(commands).flatMap(({ words }) => (words.length === 0 ? [] : [`'${words.join(' ')}'`]))
  const values = optionValues(commands).map(({ place, values }) => `    '${place}') ${dialect.offerValues(values)}; return ;;`)
  return `${dialect.begin}
_vostro() {
  local word=${dialect.word} before='' place='' next offered='' files='' at skip=''
  for ((at = ${dialect.first}; at < ${dialect.current}; at++)); do
    next=${dialect.next}
    if [[ -n $skip ]]; then skip=''; continue; fi
    case $next in
      ${valued(commands).join('|')}) skip=yes; continue ;;
      -*) continue ;;
    esac
    case "\${place:+$place }$next" in
      ${places.join('|')}) place="\${place:+$place }$next" ;;
    esac
  done
  before=${dialect.before}
  case "$place $before" in
${values.join('\n')}
  esac
  case $place in
${caseLines(commands, '    ').join('\n')}
  esac
  ${dialect.offer}
  if [[ -n $files ]]; then ${dialect.offerFiles}; fi
}
${dialect.end}
`
}
