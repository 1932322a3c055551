import { describe, expect, test } from 'vitest'
import { challengeCookies, createUser, passkeySite, requestOptions, storePasskey } from './site.ts'

describe('a known and an unknown address', () => {
  const lengths = (response: Response) => challengeCookies(response).map(({ length }) => length)

  async function replies(query: string) {
    const site = passkeySite()
    const ada = await createUser(site, 'known@example.com')
    await storePasskey(site, ada.id)
    await createUser(site, 'bare@example.com')
    const all = []
    for (const name of ['known', 'bare', 'other']) {
      site.called()
      const path = `webauthn-options/passkey?${query}&email=${name}%40example.com`
      const response = await site.open().request(path)
      const body: { action: string; options: object } = await response.json()
      all.push({ response, body, queries: site.called().length })
    }
    return all
  }

  test('get authentication options of the same shape, after as many queries', async () => {
    const all = await replies('action=authenticate')
    const shapes = all.map(({ response, body, queries }) => [
      response.status,
      lengths(response),
      body.action,
      Object.keys(body.options),
      queries,
    ])
    expect(new Set(shapes.map((shape) => JSON.stringify(shape))).size).toBe(1)
    for (const { body } of all)
      expect(body.options).toMatchObject({
        allowCredentials: [
          {
            id: expect.stringMatching(/^[\w-]{22,86}$/),
            type: 'public-key',
            transports: expect.any(Array),
          },
        ],
      })
  })

  test('get a decoy that is stable for each address', async () => {
    const site = passkeySite()
    const decoyOf = async (email: string) =>
      (await requestOptions(site.open(), { email })).options.allowCredentials
    const first = await decoyOf('other@example.com')
    expect(await decoyOf('Other@Example.com')).toEqual(first)
    expect(await decoyOf('another@example.com')).not.toEqual(first)
  })

  test('get a decoy with the length and the transports of a common authenticator', async () => {
    const site = passkeySite()
    const kinds = new Set<string>()
    for (let index = 0; index < 60; index++) {
      const email = `user${index}@example.com`
      const { allowCredentials = [] } = (await requestOptions(site.open(), { email })).options
      for (const { id, transports } of allowCredentials)
        kinds.add(`${Buffer.from(id, 'base64url').length} ${transports?.join()}`)
    }
    expect([...kinds].sort()).toEqual([
      '16 hybrid,internal',
      '20 hybrid,internal',
      '32 internal',
      '64 usb',
    ])
  })

  test('get registration options that differ only in the address, without a query', async () => {
    const all = await replies('action=register')
    const shapes = all.map(({ response, body, queries }) => {
      const text = JSON.stringify(body.options).replaceAll(/(known|bare|other)@/g, '@')
      const options: object = JSON.parse(text)
      return [
        response.status,
        body.action,
        { ...options, challenge: '', user: Object.keys(Reflect.get(options, 'user')) },
        queries,
      ]
    })
    expect(new Set(shapes.map((shape) => JSON.stringify(shape))).size).toBe(1)
    expect(shapes[0]?.[3]).toBe(0)
  })
})
