#!/usr/bin/env node
import { main } from './main.ts'
import { processTerminal } from './terminal.ts'

// A reader such as head may close the pipe early.
process.stdout.on('error', () => undefined)
process.exitCode = await main(process.argv.slice(2), processTerminal(process))
