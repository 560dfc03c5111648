package dev.mailroom.account;

import java.time.Instant;

/** A mail that must be sent to an account's owner. */
public sealed interface AccountNotice {

	/** Recipient. */
	String to();

	/** Asks the owner to verify the address, with a link that holds the token. */
	record VerifyAddress(String to, Secret token) implements AccountNotice {
	}

	/** Lets the owner set a new password, with a link that holds the token. */
	record ResetPassword(String to, Secret token) implements AccountNotice {
	}

	/**
	 * Invites a person to join an account, with a link that holds the token.
	 *
	 * @param inviter name or address of the person who invites
	 * @param account the account, with the name or the address of its owner
	 */
	record JoinTeam(String to, Secret token, String inviter, Account account, MemberRole role,
			Instant expiresAt) implements AccountNotice {

		/** The name of the owner, or else the address. */
		public String owner() {
			return named(this.account);
		}

		static String named(Account account) {
			return account.name().isEmpty() ? account.email() : account.name();
		}

	}

	/** Informs a person that signing in requires a second factor from now on. */
	record SecondFactorAdded(String to) implements AccountNotice {
	}

	/**
	 * Informs an owner of the deletion of the account, which can be cancelled until then.
	 */
	record DeletionAsked(String to, String name, Instant deleteAt) implements AccountNotice {
	}

	/**
	 * Informs an owner that the account stays, with the name or address of the account.
	 */
	record DeletionCancelled(String to, String name) implements AccountNotice {
	}

	/** Informs an owner that the account is deleted now. */
	record DeletionBegun(String to, String name) implements AccountNotice {
	}

	/**
	 * Informs the owner of an attempt to register with an address that has an account.
	 */
	record AlreadyRegistered(String to) implements AccountNotice {
	}

	/**
	 * Informs a person who registers or has forgotten the password that the account is in
	 * another cell.
	 *
	 * @param url base URL of that cell's web app
	 */
	record InOtherCell(String to, String url) implements AccountNotice {
	}

}
