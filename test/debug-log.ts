/** The debug log of a configuration, as printed to the console. */
import { vi } from 'vitest'

/** The console as the logger, with debug messages. */
export const debug = { logger: undefined, debug: true } as const

/** Collects the lines of `console.log` for {@link printed}, until mocks are restored. */
export function captureConsole(): void {
  vi.spyOn(console, 'log').mockImplementation(() => undefined)
}

/** The debug lines printed since the last call, without their prefix and without adapter calls. */
export function printed(): string[] {
  const lines = vi.mocked(console.log).mock.calls.map(([line]) => String(line))
  vi.mocked(console.log).mockClear()
  return lines
    .map((line) => line.replace('[auth][debug] ', ''))
    .filter((line) => !line.startsWith('adapter_'))
}
