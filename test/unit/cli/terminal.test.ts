import { PassThrough } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { processTerminal } from '../../../src/cli/terminal.ts'

/** A terminal, and what is shown there beside the answer of the command. */
function terminal({ isWatched = true } = {}) {
  const stream = () => Object.assign(new PassThrough(), { isTTY: isWatched })
  const [stdin, stdout, stderr] = [stream(), stream(), stream()]
  const shown: string[] = []
  stderr.on('data', (chunk) => void shown.push(String(chunk)))
  const streams = { stdin, stdout, stderr } as unknown as NodeJS.Process
  return { stdin, shown, screen: processTerminal(streams) }
}

describe('a question', () => {
  test.each([
    ['y', true],
    ['YES', true],
    [' yes ', true],
    ['', false],
    ['n', false],
    ['yesterday', false],
  ])('that is answered with "%s": %s', async (answer, expected) => {
    const { stdin, shown, screen } = terminal()
    const asked = screen.confirm('Run 2 statements?')
    stdin.write(`${answer}\n`)
    expect(await asked).toBe(expected)
    expect(shown.join('')).toContain('Run 2 statements? [y/N] ')
  })

  test('from which somebody walks away is not agreed to', async () => {
    const { stdin, screen } = terminal()
    const asked = screen.confirm('Run 2 statements?')
    stdin.end()
    expect(await asked).toBe(false)
  })

  test('is not asked where nobody can answer', async () => {
    const { shown, screen } = terminal({ isWatched: false })
    expect(await screen.confirm('Run 2 statements?')).toBeNull()
    expect(shown).toEqual([])
  })
})

test('progress takes the place of what was shown before, and only where somebody watches', () => {
  const watched = terminal()
  watched.screen.progress('1 of 2')
  watched.screen.progress('2 of 2')
  expect(watched.shown).toEqual(['\r\u001b[K1 of 2', '\r\u001b[K2 of 2'])
  const alone = terminal({ isWatched: false })
  alone.screen.progress('1 of 2')
  expect(alone.shown).toEqual([])
})
