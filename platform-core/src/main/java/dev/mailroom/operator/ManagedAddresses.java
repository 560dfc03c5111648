package dev.mailroom.operator;

import java.util.List;
import java.util.Map;

import dev.mailroom.addresscheck.AddressCheck;
import dev.mailroom.addresscheck.AddressChecks;
import dev.mailroom.addresscheck.BlockList;
import dev.mailroom.audit.Act;
import dev.mailroom.audit.Audits;
import dev.mailroom.database.Transactions;
import dev.mailroom.dmarcreport.DmarcReports;
import dev.mailroom.dmarcreport.UnreadReport;
import dev.mailroom.inbound.ForwardFigures;
import dev.mailroom.inbound.Forwards;
import dev.mailroom.tlsreport.OutgoingTlsReports;
import dev.mailroom.tlsreport.SentTlsReport;
import dev.mailroom.trackingdomain.CertificateOrder;
import dev.mailroom.trackingdomain.Certificates;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Service;

/**
 * Checks of sending addresses, reports that could not be read or that were sent, orders
 * of certificates, and forwarded mail, for operators.
 */
@Service
public class ManagedAddresses {

	private final AddressChecks checks;

	private final DmarcReports reports;

	private final Certificates certificates;

	private final OutgoingTlsReports sent;

	private final Forwards forwards;

	private final Audits audits;

	private final Transactions transactions;

	ManagedAddresses(AddressChecks checks, DmarcReports reports, Certificates certificates, OutgoingTlsReports sent,
			Forwards forwards, Audits audits, Transactions transactions) {
		this.checks = checks;
		this.reports = reports;
		this.certificates = certificates;
		this.sent = sent;
		this.forwards = forwards;
		this.audits = audits;
		this.transactions = transactions;
	}

	/** The last result of each check, by address. */
	public Mono<List<AddressCheck>> checks(Operator operator) {
		return this.checks.all();
	}

	/** The block lists that are asked, by name. */
	public Mono<List<BlockList>> lists(Operator operator) {
		return this.checks.lists();
	}

	/** The last mails to addresses for reports that could not be read, newest first. */
	public Mono<List<UnreadReport>> unreadReports(Operator operator) {
		return this.reports.unread();
	}

	/** The last orders of certificates of tracking domains, newest first. */
	public Mono<List<CertificateOrder>> certificateOrders(Operator operator) {
		return this.certificates.orders();
	}

	/** The last reports about TLS to domains of recipients, newest first. */
	public Mono<List<SentTlsReport>> sentTlsReports(Operator operator) {
		return this.sent.last();
	}

	/**
	 * Forwarded mail of the last hours by account, those with most refused forwards
	 * first.
	 * @param hours 1 to 720
	 * @throws dev.mailroom.Refused {@code Invalid request data}
	 */
	public Mono<List<ForwardFigures>> forwards(Operator operator, int hours) {
		return this.forwards.figures(hours);
	}

	/**
	 * Asks for a check of an address now; a worker begins it within seconds.
	 * @return the address
	 * @throws dev.mailroom.Refused {@code Not found} if it is none from which mail is
	 * sent
	 */
	public Mono<String> check(Operator operator, String address) {
		return this.transactions.acrossAccounts(this.checks.request(address)
			.filter(Boolean::booleanValue)
			.switchIfEmpty(Mono.error(() -> OperationRefusals.NOT_FOUND.because(address + " is not checked")))
			.then(Mono.defer(() -> this.audits.recordOperator(operator.scope(), null, Act.ADDRESS_CHECKED, address,
					null, Map.of())))
			.thenReturn(address));
	}

}
