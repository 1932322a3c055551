import { createInterface } from 'node:readline'
import { plainText } from '../core/log/redact.ts'

/** The output of a command, and its questions. */
export interface Terminal {
  /** Prints a line of the result to stdout. */
  print(line: string): void
  /** Prints a line about a problem to stderr. */
  warn(line: string): void
  /** Replaces the progress line, on a terminal only. */
  progress(text: string): void
  /** Asks a yes/no question; `null` without a terminal. */
  confirm(question: string): Promise<boolean | null>
}

/** 0: success; 1: problems found, or the command failed; 2: invalid arguments. */
export type ExitCode = 0 | 1 | 2

/** Escapes control characters, which could change the terminal; line breaks stay. For text of servers and files. */
export function printable(text: string): string {
  return text
    .split('\n')
    .map((line) => plainText(line, line.length))
    .join('\n')
}

export function processTerminal({
  stdin,
  stdout,
  stderr,
}: Pick<NodeJS.Process, 'stdin' | 'stdout' | 'stderr'>): Terminal {
  const clear = stderr.isTTY ? '\r\u001b[K' : ''
  return {
    print: (line) => void stdout.write(`${clear && stdout.isTTY ? clear : ''}${line}\n`),
    warn: (line) => void stderr.write(`${clear}${line}\n`),
    progress: (text) => void (clear && stderr.write(clear + text)),
    async confirm(question) {
      if (!stdin.isTTY || !stderr.isTTY) return null
      const lines = createInterface({ input: stdin, output: stderr })
      const answer = await new Promise<string>((resolve) => {
        // Ctrl-C and Ctrl-D mean no.
        lines.once('close', () => resolve(''))
        lines.question(`${question} [y/N] `, resolve)
      })
      lines.close()
      return /^y(?:es)?$/i.test(answer.trim())
    },
  }
}
