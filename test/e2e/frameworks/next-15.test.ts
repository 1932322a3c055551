import { testNext } from './next-application.ts'

await testNext(15)
