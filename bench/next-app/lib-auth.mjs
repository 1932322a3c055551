import Lib from 'lib-auth/next'
import { config } from './config.mjs'

export const { handlers, auth } = Lib({ ...config, basePath: '/api/auth' })
