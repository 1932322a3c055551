import { handlers } from '../../../../ours.mjs'

export const { GET, POST } = handlers
