package dev.mailroom.worker.smtp.client;

import java.util.List;

import dev.mailroom.WrongSetting;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of DNSSEC and of DANE, which needs it.
 *
 * @param mode proof of DNS answers
 * @param remote whether a validating resolver may have an address that is not a loopback
 * one: its answers then cross a network unprotected
 * @param anchors keys of the root zone for {@link Mode#VALIDATE}, as the data of DS
 * records; none for the shipped ones
 * @param bogusName name with an invalid signature, whose look-up must fail in each
 * self-test; empty for none
 * @param dane whether TLSA records of recipients' servers apply (RFC 7672)
 * @param strict whether all direct mail waits while the self-test fails, and not only
 * that of domains known to have TLSA records
 */
@ConfigurationProperties("mailroom.dnssec")
record DnssecSettings(@DefaultValue("off") Mode mode, @DefaultValue("false") boolean remote,
		@DefaultValue List<String> anchors, @DefaultValue("") String bogusName, @DefaultValue("off") boolean dane,
		@DefaultValue("false") boolean strict) {

	DnssecSettings {
		if (dane && mode == Mode.OFF) {
			throw new WrongSetting("MAILROOM_DANE is on, but MAILROOM_DNSSEC is off: set it to resolver or validate.");
		}
	}

	/** Proofs of DNS answers. */
	enum Mode {

		/** DNSSEC is not used. */
		OFF,
		/** The name servers validate, and say so in their answers (AD flag). */
		RESOLVER,
		/** This process validates. */
		VALIDATE

	}

}
