import { json } from '@sveltejs/kit'
import { nameOf } from '../../auth.js'

export async function GET({ locals }) {
  return json(nameOf(await locals.auth()))
}
