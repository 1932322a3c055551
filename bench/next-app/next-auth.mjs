import NextAuth from 'next-auth'
import { config } from './config.mjs'

export const { handlers, auth } = NextAuth({ ...config, basePath: '/next-auth' })
