// The functions under test are those of the newest releases.
declare module 'express-4' {
  export { default } from 'express'
}
declare module 'express-4.21' {
  export { default } from 'express'
}
declare module 'express-5.0' {
  export { default } from 'express'
}
declare module 'fastify-5.0' {
  export { default } from 'fastify'
}
declare module 'hono-4.6' {
  export { Hono } from 'hono'
}
declare module 'node-server-1.13' {
  export { createAdaptorServer } from '@hono/node-server'
}
declare module 'node-server-1.19' {
  export { createAdaptorServer } from '@hono/node-server'
}
