// Completion for shells, made from the table of commands.
import { type Argument, type Command, globals, type Options } from '../table.ts'

export const completionCommands: readonly Command[] = [
  {
    words: ['completion'],
    summary: 'Print a script that completes commands in the shell.',
    details: 'bash: eval "$(vostro completion bash)"   zsh, after compinit: eval "$(vostro completion zsh)"',
    args: [{ name: 'SHELL', describe: 'The shell.', choices: ['bash', 'zsh'] }],
    async run({ args: [shell], commands, out }) {
      const script = shell === 'bash' ? bashScript(commands) : zshScript(commands)
      out.result({ script }, script.trimEnd())
    },
  },
]

/** What may follow each beginning of a command. */
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

/** The values that an option or an argument can have. */
const choicesOf = (args: readonly Argument[] = []): string[] => args.flatMap(({ choices = [] }) => choices)

const takesFile = ({ args = [], options = {} }: Command): boolean => args.some(({ file }) => file) || 'data' in options

/** The values of options, by the command and the option. */
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

function bashScript(commands: readonly Command[]): string {
  return `# bash completion of vostro
_vostro() {
  local word=\${COMP_WORDS[COMP_CWORD]} before='' place='' next offered='' files='' at skip=''
  for ((at = 1; at < COMP_CWORD; at++)); do
    next=\${COMP_WORDS[at]}
    if [[ -n $skip ]]; then skip=''; continue; fi
    case $next in
      ${valued(commands).join('|')}) skip=yes; continue ;;
      -*) continue ;;
    esac
    case "\${place:+$place }$next" in
      ${nodesOf(commands)
        .filter(({ words }) => words.length > 0)
        .map(({ words }) => `'${words.join(' ')}'`)
        .join('|')}) place="\${place:+$place }$next" ;;
    esac
  done
  before=\${COMP_WORDS[COMP_CWORD-1]}
  case "$place $before" in
${optionValues(commands)
  .map(({ place, values }) => `    '${place}') COMPREPLY=($(compgen -W '${values.join(' ')}' -- "$word")); return ;;`)
  .join('\n')}
  esac
  case $place in
${caseLines(commands, '    ').join('\n')}
  esac
  COMPREPLY=($(compgen -W "$offered" -- "$word"))
  if [[ -n $files ]]; then COMPREPLY+=($(compgen -f -- "$word")); fi
}
complete -F _vostro vostro
`
}

function zshScript(commands: readonly Command[]): string {
  return `#compdef vostro
# zsh completion of vostro
_vostro() {
  local word=$words[CURRENT] before='' place='' next offered='' files='' at skip=''
  for ((at = 2; at < CURRENT; at++)); do
    next=$words[at]
    if [[ -n $skip ]]; then skip=''; continue; fi
    case $next in
      ${valued(commands).join('|')}) skip=yes; continue ;;
      -*) continue ;;
    esac
    case "\${place:+$place }$next" in
      ${nodesOf(commands)
        .filter(({ words }) => words.length > 0)
        .map(({ words }) => `'${words.join(' ')}'`)
        .join('|')}) place="\${place:+$place }$next" ;;
    esac
  done
  before=$words[CURRENT-1]
  case "$place $before" in
${optionValues(commands)
  .map(({ place, values }) => `    '${place}') compadd -- ${values.join(' ')}; return ;;`)
  .join('\n')}
  esac
  case $place in
${caseLines(commands, '    ').join('\n')}
  esac
  compadd -- \${=offered}
  if [[ -n $files ]]; then _files; fi
}
compdef _vostro vostro
`
}
