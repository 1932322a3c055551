/** The examples for Express, Fastify, Hono and node:http in Chromium. */
import { describe } from 'vitest'
import { SERVERS } from '../../tools/demo-server.mjs'
import { findBrowser } from '../services.ts'
import { exampleSuite } from './example-suite.ts'

const launchOptions = await findBrowser()

// Browsers wait for pages most of the time: the examples are tested at once, and each by one test after the other.
describe.skipIf(!launchOptions).each(Object.entries(SERVERS))(
  'the example %s',
  { concurrent: true },
  (name, title) => {
    describe.sequential('in Chromium', () =>
      exampleSuite({ name, title, statusOfRejection: 401 }, launchOptions ?? {}),
    )
  },
)
