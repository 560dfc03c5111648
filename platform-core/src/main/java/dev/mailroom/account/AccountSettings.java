package dev.mailroom.account;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of accounts.
 *
 * @param defaultPlan name of the plan of a new account
 * @param operatorTotp whether operators need a second factor
 */
@ConfigurationProperties("mailroom.account")
record AccountSettings(@DefaultValue("free") String defaultPlan, @DefaultValue("optional") OperatorTotp operatorTotp) {

	/** Rules for operators. */
	enum OperatorTotp {

		/** Operators may set up a second factor. */
		OPTIONAL,
		/** Without a second factor an operator may only set one up. */
		REQUIRED

	}

	/** Whether an account may not be used before it has a second factor. */
	boolean requiresSecondFactor(Account account) {
		return account.operator() && this.operatorTotp == OperatorTotp.REQUIRED;
	}
}
