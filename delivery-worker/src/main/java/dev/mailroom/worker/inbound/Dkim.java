package dev.mailroom.worker.inbound;

import java.io.IOException;
import java.util.List;
import java.util.Locale;

import org.apache.james.jdkim.api.SignatureRecord;
import org.apache.james.jdkim.exceptions.CompositeFailException;
import org.apache.james.jdkim.exceptions.FailException;
import org.apache.james.jdkim.exceptions.TempFailException;
import org.jspecify.annotations.Nullable;

import org.springframework.stereotype.Component;

/** Whether somebody stands up for a mail with a signature that holds (RFC 6376). */
@Component
class Dkim {

	private final BlockingResolver names;

	Dkim(BlockingResolver names) {
		this.names = names;
	}

	/** Asks name servers and waits for them. */
	Result check(MailHeader header) throws IOException {
		try {
			@Nullable List<SignatureRecord> held = new DkimSignatures(this.names).verify(header, header.body());
			return (held == null) ? new Result(CheckResult.GRAY, List.of(), false)
					: new Result(CheckResult.PASS, held.stream().map(Dkim::domain).toList(), false);
		}
		catch (FailException ex) {
			boolean unknown = isUnknown(ex);
			return new Result(unknown ? CheckResult.GRAY : CheckResult.FAIL, List.of(), unknown);
		}
	}

	/** One that could not be looked at may be the one that holds. */
	private static boolean isUnknown(FailException failure) {
		return failure instanceof TempFailException || failure instanceof CompositeFailException several
				&& several.getExceptions().stream().anyMatch(TempFailException.class::isInstance);
	}

	private static String domain(SignatureRecord signature) {
		return signature.getDToken().toString().toLowerCase(Locale.ROOT);
	}

	/**
	 * What it came to.
	 *
	 * @param domains whose signatures hold
	 * @param unknown whether name servers did not answer, so that one may hold as well
	 */
	record Result(CheckResult verdict, List<String> domains, boolean unknown) {

		static final Result BROKEN = new Result(CheckResult.PROCESSING_FAILED, List.of(), false);

	}

}
