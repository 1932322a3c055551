import type { ReactNode } from 'react'
import { auth, signIn, signOut } from '../auth'

export default async function Page(): Promise<ReactNode> {
  const session = await auth()
  async function enter(): Promise<void> {
    'use server'
    await (session ? signOut() : signIn('github'))
  }
  return (
    <form action={enter}>
      <button type="submit">{session?.role ?? 'Sign in'}</button>
    </form>
  )
}
