package dev.mailroom.api.account;

import dev.mailroom.account.Applicant;
import dev.mailroom.account.Secret;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Who the operator is.
 *
 * @param operatorEmail the address they sign in with; empty where there is none
 * @param operatorPassword their first password
 */
@ConfigurationProperties("mailroom.account")
record OperatorSettings(@DefaultValue("") String operatorEmail, @Nullable Secret operatorPassword) {

	/** Refuses to start with what nobody could sign in with. */
	OperatorSettings {
		if (!operatorEmail.isEmpty() && operatorPassword != null && !operatorPassword.text().isEmpty()) {
			Applicant.of(operatorEmail, operatorPassword, null);
		}
	}
}
