/** The examples for Express, Fastify, Hono and node:http in Chromium. */
import { describe } from 'vitest'
import { SERVERS } from '../../tools/demo-server.mjs'
import { findBrowser } from '../services.ts'
import { exampleSuite } from './example-suite.ts'

const launchOptions = await findBrowser()

describe.skipIf(!launchOptions).each(Object.entries(SERVERS))('the example %s', (name, title) => {
  exampleSuite({ name, title, statusOfRejection: 401 }, launchOptions ?? {})
})
