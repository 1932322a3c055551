import { createRequestHandler } from '@react-router/express'
import express from 'express'

/** The server of a build, like that of `@react-router/serve`. */
export const listener = (build) =>
  express()
    .disable('x-powered-by')
    .use(createRequestHandler({ build, mode: 'production' }))
