// Who can sign in, and which application may ask.
export const CLIENT = { id: 'demo', secret: 'demo-secret' }

export const PEOPLE = {
  ada: { name: 'Ada Lovelace', email: 'ada@example.com' },
  alan: { name: 'Alan Turing', email: 'alan@example.com' },
}
