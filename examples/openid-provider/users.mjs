// The users of the provider, and its client.
export const CLIENT = { id: 'demo', secret: 'demo-secret' }

export const USERS = {
  ada: { name: 'Ada Lovelace', email: 'ada@example.com' },
  alan: { name: 'Alan Turing', email: 'alan@example.com' },
}
