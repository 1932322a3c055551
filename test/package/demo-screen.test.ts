/** The first screen of `npm run demo`. */
import { expect, test } from 'vitest'
import { firstScreen, serverScreen } from '../../tools/demo-screen.mjs'
import { nodeProblem } from '../../tools/demo-server.mjs'

const screen = firstScreen({
  url: 'http://localhost:3000',
  issuer: 'http://localhost:4000',
  inbox: 'http://localhost:3000/mail',
  sessions: 'database',
  databaseFile: 'examples/next-app-router/demo.db',
})

test('the terminal shows first which URL to open and what to click', () => {
  expect(screen.trim().split('\n').slice(0, 3)).toEqual([
    '1. Open http://localhost:3000',
    '  2. Click "Sign in with the demo provider"',
    '  3. Click "Continue as Ada Lovelace", then "Continue"',
  ])
})

test('the terminal shows where the mail is, and how to start the demo with the other sessions', () => {
  expect(screen).toContain('the mail is at http://localhost:3000/mail')
  expect(screen).toContain('SESSIONS=jwt npm run demo')
})

test('the terminal shows the same first for the example of a server, and where its source is', () => {
  const server = serverScreen({
    url: 'http://localhost:3000',
    issuer: 'http://localhost:4000',
    source: 'examples/express/server.mjs',
  })
  expect(server.trim().split('\n').slice(0, 3)).toEqual(screen.trim().split('\n').slice(0, 3))
  expect(server).toContain('examples/express/server.mjs')
})

test('the demo of TanStack Start reports that it needs a newer Node.js', () => {
  expect(nodeProblem('tanstack-start', '20.20.2')).toBe(
    'TanStack Start needs Node.js 22.12 or newer. This is Node.js 20.20.2.',
  )
  expect(nodeProblem('tanstack-start', '22.9.0')).toContain('22.12 or newer')
  expect(nodeProblem('tanstack-start', '22.12.0')).toBeUndefined()
  expect(nodeProblem('astro', '20.19.0')).toBeUndefined()
})
