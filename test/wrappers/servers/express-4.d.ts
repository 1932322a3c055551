// The functions under test are those of both versions.
declare module 'express-4' {
  export { default } from 'express'
}
