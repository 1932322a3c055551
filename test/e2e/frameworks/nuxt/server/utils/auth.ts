import Lib from 'lib-auth/nuxt'
import { site } from './site'

export const {
  handler,
  session,
  auth,
  protect,
  signIn,
  signOut,
  update,
  getAccessToken,
  requestScopes,
  requireAuth,
  account,
  factors,
  password,
  sessions,
} = Lib(site.config)
