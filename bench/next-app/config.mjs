const ADA = {
  id: '1',
  name: 'Ada Lovelace',
  email: 'ada@example.com',
  image: 'https://x.test/a.png',
}

/** The configuration of both wrappers, except for the base path. */
export const config = {
  trustHost: true,
  session: { strategy: 'jwt' },
  providers: [
    {
      id: 'credentials',
      name: 'Credentials',
      type: 'credentials',
      credentials: { username: {}, password: { type: 'password' } },
      authorize: ({ password }) => (password === 'right' ? { ...ADA } : null),
    },
  ],
}
