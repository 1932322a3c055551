/** The conformance suite for the recipe in `RECIPE`, on the runtime for which it is written. */
import { conformance } from '../frameworks/conformance/index.ts'
import type { Exceptions } from '../frameworks/conformance/index.ts'
import { startRecipe } from './recipe-server.ts'

interface Selected {
  readonly name: string
  readonly file: string
  readonly exceptions: Exceptions
}

const { name, file, exceptions }: Selected = JSON.parse(process.env['RECIPE'] ?? '')

conformance(name, startRecipe(file), exceptions, { isRecipe: true })
