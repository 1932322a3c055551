import { PassThrough } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { processTerminal } from '../../src/cli/terminal.ts'

/** A terminal with its error output. */
function terminal({ isTerminal = true } = {}) {
  const stream = () => Object.assign(new PassThrough(), { isTTY: isTerminal })
  const [stdin, stdout, stderr] = [stream(), stream(), stream()]
  const errors: string[] = []
  stderr.on('data', (chunk) => void errors.push(String(chunk)))
  const streams = { stdin, stdout, stderr } as unknown as NodeJS.Process
  return { stdin, errors, screen: processTerminal(streams) }
}

describe('a question', () => {
  test.each([
    ['y', true],
    ['YES', true],
    [' yes ', true],
    ['', false],
    ['n', false],
    ['yesterday', false],
  ])('with the answer "%s" resolves with %s', async (answer, expected) => {
    const { stdin, errors, screen } = terminal()
    const asked = screen.confirm('Run 2 statements?')
    stdin.write(`${answer}\n`)
    expect(await asked).toBe(expected)
    expect(errors.join('')).toContain('Run 2 statements? [y/N] ')
  })

  test('resolves with false when the input ends', async () => {
    const { stdin, screen } = terminal()
    const asked = screen.confirm('Run 2 statements?')
    stdin.end()
    expect(await asked).toBe(false)
  })

  test('is not asked without a terminal', async () => {
    const { errors, screen } = terminal({ isTerminal: false })
    expect(await screen.confirm('Run 2 statements?')).toBeNull()
    expect(errors).toEqual([])
  })
})

test('progress replaces the previous line, on a terminal only', () => {
  const interactive = terminal()
  interactive.screen.progress('1 of 2')
  interactive.screen.progress('2 of 2')
  expect(interactive.errors).toEqual(['\r\u001b[K1 of 2', '\r\u001b[K2 of 2'])
  const piped = terminal({ isTerminal: false })
  piped.screen.progress('1 of 2')
  expect(piped.errors).toEqual([])
})
