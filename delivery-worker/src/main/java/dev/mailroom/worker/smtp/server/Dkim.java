package dev.mailroom.worker.smtp.server;

import java.io.IOException;
import java.util.List;
import java.util.Locale;

import org.apache.james.jdkim.api.SignatureRecord;
import org.apache.james.jdkim.exceptions.CompositeFailException;
import org.apache.james.jdkim.exceptions.FailException;
import org.apache.james.jdkim.exceptions.TempFailException;
import org.jspecify.annotations.Nullable;

import org.springframework.stereotype.Component;

/** Check of DKIM signatures (RFC 6376). */
@Component
class Dkim {

	private final BlockingResolver resolver;

	Dkim(BlockingResolver resolver) {
		this.resolver = resolver;
	}

	/** Verifies the signatures of a mail. Blocks on DNS lookups. */
	Result check(MailHeader header) throws IOException {
		try {
			@Nullable List<SignatureRecord> valid = new DkimSignatures(this.resolver).verify(header, header.body());
			return (valid == null) ? new Result(CheckResult.GRAY, List.of(), false)
					: new Result(CheckResult.PASS, valid.stream().map(Dkim::domain).toList(), false);
		}
		catch (FailException ex) {
			boolean temporary = isTemporary(ex);
			return new Result(temporary ? CheckResult.GRAY : CheckResult.FAIL, List.of(), temporary);
		}
	}

	/** Whether at least one signature could not be verified for now. */
	private static boolean isTemporary(FailException failure) {
		return failure instanceof TempFailException || (failure instanceof CompositeFailException several
				&& several.getExceptions().stream().anyMatch(TempFailException.class::isInstance));
	}

	private static String domain(SignatureRecord signature) {
		return signature.getDToken().toString().toLowerCase(Locale.ROOT);
	}

	/**
	 * Result of the check.
	 *
	 * @param domains signing domains whose signatures are valid
	 * @param temporary whether a signature may be valid, but its key could not be fetched
	 */
	record Result(CheckResult check, List<String> domains, boolean temporary) {

		static final Result BROKEN = new Result(CheckResult.PROCESSING_FAILED, List.of(), false);

	}

}
