import { handlers } from '../../../../lib-auth.mjs'

export const { GET, POST } = handlers
