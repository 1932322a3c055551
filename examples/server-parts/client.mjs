// The script of the client page: reads the session in the browser.
import { createClient, createSession } from 'lib-auth/client'

const options = { basePath: '/auth' }
const session = createSession(options)
const heading = document.querySelector('h1')
const signOut = document.querySelector('button')

function show() {
  const { session: current } = session.state()
  if (current === undefined) return
  const { name, email } = current?.user ?? {}
  heading.textContent = current ? `Hello, ${name ?? email}` : 'You are not signed in'
  signOut.hidden = !current
}

signOut.addEventListener('click', () => void createClient(options).signOut({ redirectTo: '/' }))
session.subscribe(show)
// Reads the session now, and again when the tab becomes visible.
session.start()
