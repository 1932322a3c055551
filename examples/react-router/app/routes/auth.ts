import { lib } from '../auth.server'

// The middleware answers the requests; React Router needs a loader and an action to accept them.
export const middleware = [lib.handler]
export const loader = () => null
export const action = () => null
