// The passkeys of the user of a request.
import { listPasskeys, removePasskey, renamePasskey } from 'lib-auth/passkeys'
import { config } from './auth.mjs'

async function call(work, req, res, ...args) {
  const { value, headers } = await work(req, config, ...args)
  // Of a session that was extended.
  for (const cookie of headers.getSetCookie()) res.append('set-cookie', cookie)
  return value
}

export const passkeys = {
  list: (req, res) => call(listPasskeys, req, res),
  rename: (req, res, id, name) => call(renamePasskey, req, res, id, name),
  remove: (req, res, id) => call(removePasskey, req, res, id),
}
