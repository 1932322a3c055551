import { handlers } from '../../../next-auth.mjs'

export const { GET, POST } = handlers
