import { headers } from 'next/headers'
import { Greeting } from '../greeting.jsx'

/** Rendered for each request, as the other two are; it believes what it is told. */
export default async function Page() {
  const list = await headers()
  return <Greeting name={list.get('x-name')} />
}
