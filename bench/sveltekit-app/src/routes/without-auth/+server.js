import { json } from '@sveltejs/kit'
import { NAME } from '../../auth.js'

export async function GET() {
  return json({ name: NAME })
}
