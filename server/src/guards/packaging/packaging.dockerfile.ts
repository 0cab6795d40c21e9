// Reads a Dockerfile and a .dockerignore as far as ours go, so that the image can be checked without building it.

export type Instruction = { name: string; flags: Record<string, string>; words: string[]; text: string }
export type Stage = { base: string; name: string | undefined; instructions: Instruction[] }

export function parseDockerfile(text: string): { args: Record<string, string>; stages: Stage[] } {
  const args: Record<string, string> = {}
  const stages: Stage[] = []
  for (const line of text.replace(/\\\n/g, ' ').split('\n')) {
    if (line.trim() === '' || line.startsWith('#')) continue
    const instruction = parseLine(line)
    const { name, words } = instruction
    if (name === 'FROM') stages.push({ base: withArgs(words[0] ?? '', args), name: words[2], instructions: [] })
    else if (stages.length > 0) stages.at(-1)?.instructions.push(instruction)
    else if (name === 'ARG') Object.assign(args, Object.fromEntries([(words[0] ?? '').split('=')]))
    else throw new Error(`${name} stands before the first FROM`)
  }
  return { args, stages }
}

const withArgs = (text: string, args: Record<string, string>): string => text.replace(/\$\{(\w+)\}/g, (_, name) => args[name] ?? '')

function parseLine(line: string): Instruction {
  const [, name = '', rest = ''] = /^([A-Z]+)\s+(.*)$/.exec(line) ?? []
  const flags: Record<string, string> = {}
  const text = rest.replace(/^(?:--([a-z-]+)(?:=(\S+))?\s+)+/, (all) => {
    for (const [, flag = '', value = ''] of all.matchAll(/--([a-z-]+)(?:=(\S+))?/g)) flags[flag] = value
    return ''
  })
  const list = text.indexOf('[')
  // CMD and HEALTHCHECK CMD with a list run the program itself, without a shell in between.
  const words = list >= 0 && /^(CMD\s+)?\[/.test(text) ? (JSON.parse(text.slice(list)) as string[]) : text.split(/\s+/)
  return { name, flags, words, text }
}

/** Whether a file is excluded from the build context. The last line that matches the file or one of its folders counts. */
export function isIgnored(file: string, dockerignore: string): boolean {
  const lines = dockerignore.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  const paths = file.split('/').map((_, at, segments) => segments.slice(0, at + 1).join('/'))
  return lines.reduce((ignored, line) => {
    const pattern = line.replace(/^!/, '')
    return paths.some((path) => patternOf(pattern).test(path)) ? !line.startsWith('!') : ignored
  }, false)
}

/** Docker's matching: an asterisk also matches a dot at the beginning of a name. */
function patternOf(glob: string): RegExp {
  const parts = glob.split(/(\*\*\/|\*)/).map((part) => (part === '**/' ? '(?:.*/)?' : part === '*' ? '[^/]*' : RegExp.escape(part)))
  return new RegExp(`^${parts.join('')}$`)
}

/** Which of these files a stage copies from the checkout, with the path below its working folder. */
export function copiedFiles({ instructions }: Stage, files: readonly string[]): Map<string, string> {
  const copied = new Map<string, string>()
  for (const { name, flags, words } of instructions) {
    if (name !== 'COPY' || 'from' in flags) continue
    const target = (words.at(-1) ?? '').replace(/^\.\//, '')
    for (const source of words.slice(0, -1)) {
      for (const file of files) {
        if (file === source) copied.set(file, target === '' || target.endsWith('/') ? target + (source.split('/').at(-1) ?? '') : target)
        // Like Docker, copies the contents of a folder, not the folder.
        else if (file.startsWith(`${source}/`)) copied.set(file, `${target}/${file.slice(source.length + 1)}`.replace(/^\/|\/(?=\/)/g, ''))
      }
    }
  }
  return copied
}
