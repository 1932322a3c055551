import { insecureHttp, setEnvDefaults } from 'lib-auth'
import Nodemailer from 'lib-auth/providers/nodemailer'
import { adapter } from './database.mjs'

const openid = {
  id: 'openid',
  name: 'OpenID provider',
  type: 'oidc',
  // The issuer and the client come from AUTH_OPENID_ISSUER, AUTH_OPENID_ID and AUTH_OPENID_SECRET.
  // Only for a provider on this machine, without https.
  [insecureHttp]: process.env.AUTH_OPENID_ISSUER?.startsWith('http://localhost:'),
}

const mail = Nodemailer({
  name: 'e-mail',
  server: process.env.EMAIL_SERVER,
  from: process.env.EMAIL_FROM,
})

export const config = { adapter, providers: [openid, mail], session: { strategy: 'database' } }

// Reads AUTH_SECRET, AUTH_URL and the other variables.
setEnvDefaults(process.env, config)
