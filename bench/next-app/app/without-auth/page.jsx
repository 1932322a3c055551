import { headers } from 'next/headers'
import { Greeting } from '../greeting.jsx'

/** Rendered for each request, like the other two pages, without authentication. */
export default async function Page() {
  const list = await headers()
  return <Greeting name={list.get('x-name')} />
}
