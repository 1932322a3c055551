import type { APIEvent } from '@solidjs/start/server'

export function GET({ locals }: APIEvent): Response {
  return new Response(locals.session ? `Hello, ${locals.session.user?.name}` : 'Hello, stranger')
}
