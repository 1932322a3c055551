import { handlers } from '../../../theirs.mjs'

export const { GET, POST } = handlers
