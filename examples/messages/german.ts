import type { MailMessages, PageMessages } from 'lib-auth/types'

/** German texts of the built-in pages, for `theme.messages`. */
export const german: PageMessages = {
  lang: 'de',
  logo: 'Logo',
  signInTitle: 'Bei {site} anmelden',
  chooseMethod: 'Wählen Sie, wie Sie fortfahren möchten.',
  continueWith: 'Weiter mit {provider}',
  continueWithEmail: 'Weiter mit E-Mail',
  continueAs: 'Als {provider} fortfahren',
  moreWays: 'Weitere Anmeldemethoden',
  usePassword: 'Passwort verwenden',
  passwordSignIn: 'Mit dem Passwort anmelden',
  createAccount: 'Neu hier? Konto erstellen',
  forgotPassword: 'Passwort vergessen?',
  signIn: 'Anmelden',
  keepSignedIn: 'Angemeldet bleiben',
  or: 'oder',
  emailAddress: 'E-Mail-Adresse',
  emailPlaceholder: 'name@example.com',
  password: 'Passwort',
  noMethods: 'Es ist keine Anmeldemethode eingerichtet.',
  signInFailed: 'Die Anmeldung ist fehlgeschlagen. Versuchen Sie es noch einmal.',
  tryAnotherAccount:
    'Die Anmeldung ist fehlgeschlagen. Versuchen Sie es noch einmal oder mit einem anderen Konto.',
  providerUnavailable:
    'Der Anbieter ist gerade nicht erreichbar. Versuchen Sie es gleich noch einmal.',
  providerFailed: 'Der Anbieter hat Sie nicht angemeldet. Versuchen Sie es noch einmal.',
  accountNotLinked:
    'Melden Sie sich mit der Methode an, die Sie zuerst verwendet haben, um Ihre Identität zu bestätigen.',
  accountOfAnotherUser:
    'Das gewählte Konto gehört einem anderen Benutzer. Um sich damit anzumelden, melden Sie sich zuerst ab.',
  sessionCannotLink:
    'Das Konto wurde nicht verknüpft. Melden Sie sich ab und wieder an, und verknüpfen Sie es dann.',
  mailNotSent:
    'Die E-Mail konnte nicht gesendet werden. Prüfen Sie die Adresse und versuchen Sie es noch einmal.',
  credentialsRejected: 'Die Anmeldung ist fehlgeschlagen. Prüfen Sie Ihre Angaben.',
  passwordRejected: 'Die E-Mail-Adresse oder das Passwort ist falsch.',
  userPasswordRejected: 'Der Benutzername oder das Passwort ist falsch.',
  tooManyAttempts: 'Zu viele Versuche. Versuchen Sie es in {time} noch einmal.',
  tooManyAttemptsOr:
    'Zu viele Versuche. Versuchen Sie es in {time} noch einmal, oder wählen Sie eine andere Methode.',
  tooManyAttemptsLater: 'Zu viele Versuche. Versuchen Sie es später noch einmal.',
  challengeRequired:
    'Eine weitere Prüfung ist nötig, die diese Seite nicht anzeigt. Wenden Sie sich an den Betreiber der Website.',
  passkeySignIn: 'Weiter mit Passkey',
  passkeyCreate: 'Passkey erstellen',
  passkeyAddress: 'Geben Sie oben Ihre E-Mail-Adresse ein, und erstellen Sie dann einen Passkey.',
  passkeyRejected: 'Der Passkey wurde nicht akzeptiert. Versuchen Sie es noch einmal.',
  passkeyCancelled:
    'Es wurde kein Passkey verwendet: Die Anfrage wurde abgebrochen oder es gibt keinen Passkey für diese Website. Versuchen Sie es noch einmal.',
  passkeyTimeout: 'Die Anfrage nach einem Passkey ist abgelaufen. Versuchen Sie es noch einmal.',
  passkeyExists:
    'Auf diesem Gerät gibt es schon einen Passkey für dieses Konto. Melden Sie sich damit an.',
  passkeyNoAuthenticator:
    'Es wurde kein geeignetes Gerät für einen Passkey gefunden. Richten Sie eine Bildschirmsperre ein oder schließen Sie einen Sicherheitsschlüssel an und versuchen Sie es noch einmal.',
  passkeyWrongDomain: 'Passkeys dieser Website können unter dieser Adresse nicht verwendet werden.',
  passkeyFailed: 'Der Passkey konnte nicht verwendet werden. Versuchen Sie es noch einmal.',
  passkeyUnsupported: 'Dieser Browser unterstützt keine Passkeys.',
  passkeyInsecure: 'Passkeys benötigen eine sichere Verbindung (https).',
  passkeyNeedsScript: 'Passkeys benötigen JavaScript, das dieser Browser nicht ausführt.',
  signedOut: 'Sie haben sich abgemeldet. Melden Sie sich an, um die Seite wieder zu sehen.',
  sessionRequired: 'Melden Sie sich an, um diese Seite zu sehen.',
  pageExpired: 'Diese Seite war zu lange geöffnet. Melden Sie sich noch einmal an.',
  signInExpired:
    'Die Anmeldung hat zu lange gedauert oder wurde in einem anderen Browser begonnen. Beginnen Sie von vorn.',
  confirmTitle: 'Bei {site} anmelden',
  confirmAddress: 'Sie werden als {address} angemeldet.',
  confirmWarning:
    'Der Link wurde in einem anderen Browser angefordert oder schon verwendet. Fahren Sie nur fort, wenn Sie ihn angefordert haben.',
  cancel: 'Abbrechen',
  checkMailTitle: 'Prüfen Sie Ihre E-Mails',
  linkSent: 'Ein Anmeldelink wurde an Ihre Adresse gesendet. Öffnen Sie ihn in diesem Browser.',
  linkSentTo: 'Ein Anmeldelink wurde an {address} gesendet. Öffnen Sie ihn in diesem Browser.',
  codeSent: 'Ein Anmeldecode wurde an Ihre Adresse gesendet.',
  codeSentTo: 'Ein Anmeldecode wurde an {address} gesendet. Er läuft in {time} ab.',
  linkAndCodeSent: 'Ein Anmeldelink und ein Code wurden an Ihre Adresse gesendet.',
  linkAndCodeSentTo:
    'Ein Anmeldelink und ein Code wurden an {address} gesendet. Öffnen Sie den Link oder geben Sie den Code ein. Beide laufen in {time} ab.',
  code: 'Code',
  codeFormat: 'Der Code hat {digits} Ziffern.',
  codeRejected:
    'Der Code ist falsch oder abgelaufen. Geben Sie den Code der neuesten E-Mail ein oder fordern Sie einen neuen an.',
  codeUnusable:
    'Dieser Code kann nicht mehr verwendet werden, oder er wurde in einem anderen Browser angefordert.',
  sendNewCode: 'Neuen Code senden',
  codeElsewhere:
    'Geben Sie den Code in dem Browser ein, in dem Sie ihn angefordert haben, oder fordern Sie hier einen neuen an.',
  noCode: 'Keine E-Mail? Sehen Sie im Spam-Ordner nach oder fordern Sie einen neuen Code an.',
  noMail: 'Keine E-Mail? Sehen Sie im Spam-Ordner nach oder fordern Sie einen neuen Link an.',
  mailLimit:
    'An eine Adresse werden höchstens {count} E-Mails hintereinander gesendet. Die nächste ist nach {time} möglich.',
  sendAgain: 'Noch einmal senden',
  anotherAddress: 'Andere Adresse verwenden',
  signOutTitle: 'Von {site} abmelden?',
  signedInAs: 'Sie sind als {user} angemeldet.',
  signedOutTitle: 'Sie sind abgemeldet',
  notSignedIn: 'Sie sind nicht angemeldet',
  signOut: 'Abmelden',
  staySignedIn: 'Angemeldet bleiben',
  secondStepTitle: 'Code eingeben',
  secondStepText:
    'Öffnen Sie Ihre Authenticator-App, und geben Sie die sechs Ziffern für {site} ein.',
  secondStepRejected:
    'Der Code ist falsch oder wurde schon verwendet. Geben Sie den nächsten ein, den die App zeigt.',
  rememberDevice: 'In diesem Browser {time} lang nicht mehr fragen',
  useRecoveryCode: 'Einen Wiederherstellungscode verwenden',
  recoveryTitle: 'Wiederherstellungscode eingeben',
  recoveryText: 'Mit jedem Ihrer Wiederherstellungscodes können Sie sich einmal anmelden.',
  recoveryCode: 'Wiederherstellungscode',
  recoveryRejected: 'Der Wiederherstellungscode ist falsch oder wurde schon verwendet.',
  useApp: 'Die Authenticator-App verwenden',
  enrollTitle: 'Authenticator-App hinzufügen',
  enrollText:
    'Für die Anmeldung brauchen Sie einen zweiten Schritt. Scannen Sie das Bild mit einer Authenticator-App, oder geben Sie dort den Schlüssel ein. Geben Sie dann die sechs Ziffern ein, die sie zeigt.',
  enrollRejected: 'Der Code ist falsch. Geben Sie die sechs Ziffern ein, die die App jetzt zeigt.',
  qrCode: 'QR-Code für die Authenticator-App',
  openApp: 'In einer Authenticator-App öffnen',
  appKey: 'Schlüssel',
  recoveryCodesTitle: 'Wiederherstellungscodes aufbewahren',
  recoveryCodesText:
    'Wenn Sie Ihre Authenticator-App verlieren, können Sie sich mit jedem dieser Codes einmal anmelden. Sie werden nicht noch einmal angezeigt.',
  continue: 'Weiter',
  stepUpTitle: 'Bestätigen Sie, dass Sie es sind',
  stepUpText: 'Melden Sie sich noch einmal an, um fortzufahren.',
  stepUpMail: 'E-Mail an {address} senden',
  stepUpOtherUser:
    'Sie haben sich mit einem anderen Konto angemeldet. Machen Sie als {user} weiter, oder melden Sie sich zuerst ab.',
  stepUpInsufficient: 'Diese Anmeldung reicht hier nicht aus. Wählen Sie eine andere.',
  stepUpImpossible:
    'Keine Methode kann das hier bestätigen. Melden Sie sich ab und mit einer anderen wieder an.',
  mergeTitle: 'Mit dem anderen Konto anmelden',
  mergeText:
    'Womit Sie sich jetzt anmelden, wird Ihrem Konto hinzugefügt, mit allem, was dazugehört. Das andere Konto wird gelöscht.',
  mergeNoUser: 'So meldet sich kein anderes Konto an. Wählen Sie eine andere Anmeldung.',
  mergeSameUser: 'Sie haben sich mit demselben Konto angemeldet. Wählen Sie das andere.',
  mergeFailed:
    'Die Konten konnten nicht zusammengeführt werden, und nichts wurde geändert. Versuchen Sie es noch einmal.',
  changeTitle: 'Ihre E-Mail-Adresse ändern?',
  changeText: 'Die Adresse des Kontos wird {address}.',
  changeWarning: 'Fahren Sie nur fort, wenn Sie das angefordert haben.',
  changeButton: 'Bestätigen',
  changeWaitingTitle: 'Noch eine Bestätigung',
  changeWaiting: 'Öffnen Sie auch den Link, der an die andere Adresse gesendet wurde.',
  changedTitle: 'Die E-Mail-Adresse ist geändert',
  changed: 'Sie ist nun {address}.',
  undoTitle: 'Änderung rückgängig machen?',
  undoText: 'Die Adresse des Kontos wird wieder {address}, und alle Geräte werden abgemeldet.',
  undoButton: 'Rückgängig machen',
  restoredTitle: 'Die Änderung ist rückgängig gemacht',
  restored:
    'Die Adresse ist wieder {address}. Melden Sie sich an und prüfen Sie, wie man sich bei dem Konto anmelden kann.',
  changeFailedTitle: 'Die Adresse ist nicht geändert',
  changeFailed:
    'Der Link ist abgelaufen, wurde schon verwendet oder gehört zu einem anderen Konto, oder die Adresse ist nicht verfügbar. Melden Sie sich an und beginnen Sie von vorn.',
  errorTitle: 'Fehler',
  error:
    'Ein unerwarteter Fehler ist aufgetreten. Gehen Sie zurück und versuchen Sie es noch einmal.',
  configurationTitle: 'Serverfehler',
  configuration:
    'Diese Website kann die Anfrage nicht bearbeiten. Wenn Sie sie betreiben, suchen Sie den Fehler im Protokoll des Servers.',
  accessDeniedTitle: 'Zugriff verweigert',
  accessDenied: 'Sie dürfen sich hier nicht anmelden. Versuchen Sie es mit einem anderen Konto.',
  accessDeniedFor:
    'Sie dürfen sich nicht als {user} anmelden. Versuchen Sie es mit einem anderen Konto.',
  verificationTitle: 'Anmeldung nicht möglich',
  verification:
    'Der Anmeldelink ist abgelaufen oder wurde schon verwendet. Fordern Sie einen neuen an.',
  unavailableTitle: 'Versuchen Sie es gleich noch einmal',
  temporarilyUnavailable:
    'Die Website hat nicht rechtzeitig geantwortet. Warten Sie einen Moment und melden Sie sich dann an.',
  sessionUnavailable: 'Ihre Sitzung kann gerade nicht gelesen werden. Sie wurden nicht abgemeldet.',
  invalidRequestTitle: 'Ungültige Anfrage',
  invalidRequest:
    'Die Anfrage ist unvollständig oder fehlerhaft. Gehen Sie zurück und versuchen Sie es noch einmal.',
  notFoundTitle: 'Nicht gefunden',
  unknownAction: 'Diese Seite gibt es nicht.',
  invalidProvider: 'Diese Anmeldemethode gibt es nicht. Wählen Sie eine andere.',
  methodNotAllowedTitle: 'Nicht möglich',
  methodNotAllowed:
    'Diese Seite kann nicht direkt geöffnet werden. Beginnen Sie auf der Anmeldeseite.',
  startPage: 'Zur Startseite',
  reference: 'Referenz für den Support: {reference}',
}

export const germanMails: MailMessages = {
  mailSignUp: 'Bestätigen Sie Ihre E-Mail-Adresse für {site}',
  mailSignUpText: 'Bestätigen Sie die Adresse, um Ihr Konto anzulegen.',
  mailSignUpButton: 'Adresse bestätigen',
  mailSignUpKnown: 'Sie haben schon ein Konto bei {site}',
  mailSignUpKnownText: 'Für diese Adresse wurde ein Konto angefordert, aber Sie haben schon eines.',
  mailReset: 'Wählen Sie ein neues Passwort für {site}',
  mailResetText: 'Ihr Passwort bleibt, wie es ist, bis Sie ein neues wählen.',
  mailResetButton: 'Neues Passwort wählen',
  mailResetUnknown: 'Zu dieser Adresse gibt es kein Konto bei {site}',
  mailResetUnknownText:
    'Für diese Adresse wurde ein neues Passwort angefordert, aber es gibt kein Konto dazu. Vielleicht haben Sie sich mit einer anderen registriert.',
  mailSignInPageButton: 'Zur Anmeldeseite',
  mailNewAddress: 'Bestätigen Sie Ihre neue E-Mail-Adresse für {site}',
  mailNewAddressText: 'Die Adresse eines Kontos soll diese werden.',
  mailCurrentAddress: 'Bestätigen Sie die Änderung Ihrer E-Mail-Adresse für {site}',
  mailCurrentAddressText: 'Die Adresse Ihres Kontos soll {address} werden.',
  mailCurrentAddressAdvice:
    'Waren Sie das nicht, bestätigen Sie es nicht und melden Sie Ihre anderen Geräte ab.',
  mailAddressButton: 'Bestätigen',
  mailSignInButton: 'Anmelden',
  mailExpires: 'Der Link gilt {time} und einmal.',
  mailIgnore: 'Haben Sie diese E-Mail nicht angefordert, können Sie sie ignorieren.',
  noticeTitle: 'Ihr Konto bei {site} wurde geändert',
  noticeAccountLinked: 'Sie können sich nun mit {provider} anmelden.',
  noticeAccountUnlinked: 'Sie können sich nicht mehr mit {provider} anmelden.',
  noticePasskeyAdded: 'Ein Passkey wurde hinzugefügt. Sie können sich nun damit anmelden.',
  noticePasskeyRemoved: 'Ein Passkey wurde entfernt.',
  noticeFactorAdded: 'Zur Anmeldung ist nun ein zweiter Schritt nötig.',
  noticeFactorRemoved: 'Ein zweiter Schritt wurde entfernt.',
  noticeRecoveryCodes: 'Es gibt neue Wiederherstellungscodes. Die früheren gelten nicht mehr.',
  noticeRecoveryCodeUsed:
    'Ein Wiederherstellungscode wurde zur Anmeldung verwendet. Verbleibende Codes: {count}.',
  noticePasswordChanged: 'Das Passwort wurde geändert.',
  noticePasswordRemoved: 'Das Passwort wurde entfernt.',
  noticeAddressChanged: 'Die E-Mail-Adresse wurde in {address} geändert.',
  noticeUsersMerged: 'Ein anderes Konto wurde mit diesem zusammengeführt und gelöscht.',
  noticeMergedInto:
    'Das Konto dieser Adresse wurde mit einem anderen zusammengeführt und gelöscht.',
  noticeUndoButton: 'Rückgängig machen',
  noticeUndoText:
    'Das stellt die frühere Adresse wieder her und meldet alle Geräte ab. Der Link gilt {time}.',
  noticeAdvice:
    'Waren Sie das, ist nichts weiter zu tun. Wenn nicht, melden Sie sich an und machen Sie es rückgängig.',
  noticePasswordAdvice:
    'Waren Sie das, ist nichts weiter zu tun. Wenn nicht, fordern Sie auf der Anmeldeseite ein neues Passwort an.',
  noticeContactAdvice:
    'Waren Sie das, ist nichts weiter zu tun. Wenn nicht, wenden Sie sich an {site}.',
}
