#!/usr/bin/env node
import { main } from './main.ts'
import { processTerminal } from './terminal.ts'

// Whoever reads what is printed may have read enough, as head has.
process.stdout.on('error', () => undefined)
process.exitCode = await main(process.argv.slice(2), processTerminal(process))
