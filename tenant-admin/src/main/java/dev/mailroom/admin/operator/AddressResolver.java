package dev.mailroom.admin.operator;

import java.util.List;
import java.util.Map;

import dev.mailroom.addresscheck.AddressCheck;
import dev.mailroom.addresscheck.BlockList;
import dev.mailroom.admin.graphql.Payload;
import dev.mailroom.admin.operator.OperatorResolver.Console;
import dev.mailroom.dmarcreport.UnreadReport;
import dev.mailroom.inbound.ForwardFigures;
import dev.mailroom.operator.ManagedAddresses;
import dev.mailroom.operator.Operator;
import dev.mailroom.tlsreport.SentTlsReport;
import dev.mailroom.trackingdomain.CertificateOrder;
import reactor.core.publisher.Mono;

import org.springframework.graphql.data.method.annotation.Argument;
import org.springframework.graphql.data.method.annotation.MutationMapping;
import org.springframework.graphql.data.method.annotation.SchemaMapping;
import org.springframework.stereotype.Controller;

/**
 * Checks of the addresses from which mail is sent, reports that could not be read or that
 * were sent, orders of certificates, and forwarded mail.
 */
@Controller
class AddressResolver {

	private final ManagedAddresses addresses;

	AddressResolver(ManagedAddresses addresses) {
		this.addresses = addresses;
	}

	@SchemaMapping(typeName = "Operator")
	Mono<List<AddressCheck>> addressChecks(Console console) {
		return this.addresses.checks(console.operator());
	}

	@SchemaMapping(typeName = "Operator")
	Mono<List<BlockList>> blockLists(Console console) {
		return this.addresses.lists(console.operator());
	}

	@SchemaMapping(typeName = "Operator")
	Mono<List<UnreadReport>> unreadReports(Console console) {
		return this.addresses.unreadReports(console.operator());
	}

	@SchemaMapping(typeName = "Operator")
	Mono<List<CertificateOrder>> certificateOrders(Console console) {
		return this.addresses.certificateOrders(console.operator());
	}

	@SchemaMapping(typeName = "Operator")
	Mono<List<SentTlsReport>> sentTlsReports(Console console) {
		return this.addresses.sentTlsReports(console.operator());
	}

	@SchemaMapping(typeName = "Operator")
	Mono<List<ForwardFigures>> forwards(Console console, @Argument int hours) {
		return this.addresses.forwards(console.operator(), hours);
	}

	@MutationMapping
	Mono<Map<String, Object>> operatorCheckAddress(Operator operator, @Argument String address) {
		return Payload.of("checked", this.addresses.check(operator, address));
	}

}
