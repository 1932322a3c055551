/** Where a command says what it does. */
export interface Terminal {
  /** One line of what the command was asked for. */
  print(line: string): void
  /** One line of what went wrong. */
  complain(line: string): void
  /** What is going on right now, where somebody is watching; the next one takes its place. */
  progress(text: string): void
}

/** How a command ended: with an answer, with something that could not be done, or without knowing what to do. */
export type ExitCode = 0 | 1 | 2

/** The terminal of this process. */
export function processTerminal({ stdout, stderr }: NodeJS.Process): Terminal {
  const clear = stderr.isTTY ? '\r\u001b[K' : ''
  return {
    print: (line) => void stdout.write(`${clear && stdout.isTTY ? clear : ''}${line}\n`),
    complain: (line) => void stderr.write(`${clear}${line}\n`),
    progress: (text) => void (clear && stderr.write(clear + text)),
  }
}
