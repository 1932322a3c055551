import MemoryAdapter from 'lib-auth/adapters/memory'

function openDatabase() {
  const adapter = MemoryAdapter()
  // Who signs in with a password has to be there before.
  const grace = adapter.createUser({
    id: '',
    name: 'Grace Hopper',
    email: 'grace@example.com',
    emailVerified: null,
  })
  return { adapter, grace }
}

declare global {
  var demoDatabase: ReturnType<typeof openDatabase> | undefined
}

// Next loads this module once for route handlers, once for pages and once for the proxy, and in development
// again after each change. All of them are in one process and need the same memory, so it is kept where all of
// them look. A real database is behind a connection, and needs none of this.
globalThis.demoDatabase ??= openDatabase()

export const { adapter, grace } = globalThis.demoDatabase
