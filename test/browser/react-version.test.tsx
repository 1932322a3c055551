// @vitest-environment jsdom
import { render } from '@testing-library/react'
import { useRef, version } from 'react'
import { version as domVersion } from 'react-dom'
import { version as serverVersion } from 'react-dom/server'
import { expect, test } from 'vitest'

test('runs on the expected React version', () => {
  const used: string[] = []
  function Component() {
    // A hook of another React than the one that renders fails.
    used.push(useRef(version).current)
    return null
  }
  render(<Component />)
  const expected = expect.stringMatching(new RegExp(`^${process.env['REACT']}\\b`)) as string
  expect([...new Set(used), domVersion, serverVersion]).toEqual([expected, expected, expected])
})
