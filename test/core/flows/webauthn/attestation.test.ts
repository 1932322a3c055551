/** Attestation statements, which no provider requests by default. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import * as version14 from '@simplewebauthn/server'
import * as version13 from 'simplewebauthn-server-13'
import * as version9 from 'simplewebauthn-server-9'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { freePort } from '../../../../tools/ports.mjs'
import { createAuthenticator } from './authenticator.ts'
import { authenticate, passkeySite, register, REJECTED, target } from './site.ts'

/** A self-signed certificate whose revocation list is at `http://127.0.0.1:65535/list.crl`. */
const CERTIFICATE = [
  'MIIBozCCAUmgAwIBAgIUM5ZTEBpbL6CKBagyzPZfvY/ndE0wCgYIKoZIzj0EAwIwDDEKMAgGA1UEAwwBeDAgFw0yNjExMjMw',
  'NTQzMzBaGA8yMTI2MTAzMDA1NDMzMFowDDEKMAgGA1UEAwwBeDBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABP1xR8A6Mw5y',
  'HebDZy8erS3LRVCcgwYWGo3cWf+ZjRWoSVSs/ehUR8QFdvr2Gege2Hqpee+nR/AWg14OrI7uuxajgYYwgYMwHQYDVR0OBBYE',
  'FCxtvhMc6deP3gCgffsu9MgoP8VkMB8GA1UdIwQYMBaAFCxtvhMc6deP3gCgffsu9MgoP8VkMA8GA1UdEwEB/wQFMAMBAf8w',
  'MAYDVR0fBCkwJzAloCOgIYYfaHR0cDovLzEyNy4wLjAuMTo2NTUzNS9saXN0LmNybDAKBggqhkjOPQQDAgNIADBFAiA85OBa',
  '8jrjeJcN997Y1AtICqAYHY0lYfNkOzrUm08BbwIhAOt7AI07KQ6x88+oDftsW3AqJY3thPQPkkcc5nBUJSMG',
].join('')

const requested: (string | undefined)[] = []
const server = createServer(({ url }, response) => {
  requested.push(url)
  response.end()
})
const port = await freePort()
server.listen(port, '127.0.0.1')
await once(server, 'listening')

beforeEach(() => void requested.splice(0))
afterAll(() => server.close())

/** The certificate with the port of the server; its signature does not match any longer. */
const certificate = Buffer.from(
  Buffer.from(CERTIFICATE, 'base64').toString('latin1').replace(':65535', `:${port}`),
  'latin1',
)
const FORMATS = ['apple', 'packed', 'fido-u2f', 'tpm', 'android-key', 'android-safetynet']
const statement = new Map([['x5c', [certificate]]])

describe.each(Object.entries({ version14, version13, version9 }))('%s', (_name, simpleWebAuthn) => {
  test.each(FORMATS)(
    'ignores an attestation (%s) that was not requested, and does not request the revocation list of its certificate',
    async (format) => {
      const site = passkeySite({ provider: { simpleWebAuthn } })
      const passkey = createAuthenticator()
      const fields = { email: 'ada@example.com', format, statement }
      expect(target(await register(site.tab, passkey, fields))).toBe('302 /')
      expect(requested).toEqual([])
      expect(target(await authenticate(site.open(), passkey))).toBe('302 /')
    },
  )
})

test('validates an attestation that the provider requests', async () => {
  const site = passkeySite({ provider: { registrationOptions: { attestationType: 'direct' } } })
  const fields = { email: 'ada@example.com', format: 'apple', statement }
  expect(target(await register(site.tab, createAuthenticator(), fields))).toBe(REJECTED)
})

const member = (name: string) =>
  Buffer.concat([Buffer.from([0x60 + name.length]), Buffer.from(name)])
const map = (size: number, ...parts: Buffer[]) =>
  Buffer.concat([Buffer.from([0xa0 + size]), ...parts])
const format = Buffer.concat([member('fmt'), member('none')])
const data = Buffer.concat([member('authData'), Buffer.from([0x40])])
const none = Buffer.concat([member('attStmt'), map(0)])
const item = (...bytes: number[]) => Buffer.concat([member('attStmt'), Buffer.from(bytes)])

test.each([
  ['a list', Buffer.from([0x80])],
  ['a member without a value', map(3, format, data, member('attStmt'))],
  ['a name that is not text', map(3, format, data, Buffer.from([0, 0]))],
  ['two statements', map(4, format, item(0xa1, 0, 0), none, data)],
  ['no statement', map(2, format, data)],
  ['no authenticator data', map(2, format, none)],
  ['trailing bytes', Buffer.concat([map(3, format, none, data), Buffer.from([0])])],
  ['a statement nested 30 times', map(3, format, item(...Array(30).fill(0x81), 0), data)],
  ['a list of 2^32 items', map(3, format, item(0x9a, 255, 255, 255, 255, 0, 0), data)],
  ['a byte string of 2^32 bytes', map(3, format, item(0x5a, 255, 255, 255, 255, 0, 0), data)],
  ['a list of indefinite length', map(3, format, item(0x9f, 0, 255), data)],
])('rejects an attestation object with %s', async (_case, object) => {
  const site = passkeySite()
  const response = { attestationObject: object.toString('base64url') }
  const sent = await register(site.tab, createAuthenticator(), { email: 'a@example.com', response })
  expect(target(sent)).toBe(REJECTED)
})
