import NextAuth from 'next-auth'
import { config } from './shared.mjs'

export const { handlers, auth } = NextAuth({ ...config, basePath: '/peer' })
