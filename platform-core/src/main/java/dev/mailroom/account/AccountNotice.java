package dev.mailroom.account;

/** A mail that an account's owner is owed; a face writes and sends it. */
public sealed interface AccountNotice {

	/** The address it goes to. */
	String to();

	/** Asks whether the address is the owner's. */
	record VerifyAddress(String to, Secret token) implements AccountNotice {
	}

	/** Lets the owner choose another password. */
	record ResetPassword(String to, Secret token) implements AccountNotice {
	}

	/** Tells the owner that somebody wanted to register with their address. */
	record AlreadyRegistered(String to) implements AccountNotice {
	}

}
