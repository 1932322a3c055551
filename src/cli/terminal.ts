import { createInterface } from 'node:readline'

/** Where a command says what it does, and asks. */
export interface Terminal {
  /** One line of what the command was asked for. */
  print(line: string): void
  /** One line of what went wrong. */
  complain(line: string): void
  /** What is going on right now, where somebody is watching; the next one takes its place. */
  progress(text: string): void
  /** A yes or no; `null` where nobody can answer. */
  confirm(question: string): Promise<boolean | null>
}

/** How a command ended: with an answer, with something that could not be done, or without knowing what to do. */
export type ExitCode = 0 | 1 | 2

/** The terminal of this process. */
export function processTerminal({
  stdin,
  stdout,
  stderr,
}: Pick<NodeJS.Process, 'stdin' | 'stdout' | 'stderr'>): Terminal {
  const clear = stderr.isTTY ? '\r\u001b[K' : ''
  return {
    print: (line) => void stdout.write(`${clear && stdout.isTTY ? clear : ''}${line}\n`),
    complain: (line) => void stderr.write(`${clear}${line}\n`),
    progress: (text) => void (clear && stderr.write(clear + text)),
    async confirm(question) {
      if (!stdin.isTTY || !stderr.isTTY) return null
      const lines = createInterface({ input: stdin, output: stderr })
      const answer = await new Promise<string>((resolve) => {
        // Whoever presses Ctrl-C or Ctrl-D does not agree.
        lines.once('close', () => resolve(''))
        lines.question(`${question} [y/N] `, resolve)
      })
      lines.close()
      return /^y(?:es)?$/i.test(answer.trim())
    },
  }
}
