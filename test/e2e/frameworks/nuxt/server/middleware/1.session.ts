import { session } from '../utils/auth'

export default session
