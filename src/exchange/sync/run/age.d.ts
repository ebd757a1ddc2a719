/** A word of the browser that `age-encryption` names in a part of it that is not used here. */
interface AuthenticationExtensionsPRFValues {}
