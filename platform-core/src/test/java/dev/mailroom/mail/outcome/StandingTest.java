package dev.mailroom.mail.outcome;

import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class StandingTest {

	@ParameterizedTest
	@CsvSource({ "0,0,0,0,0", "0,0,3,0,0", "3,1,0,25,0", "2,1,0,33.33,0", "1,2,0,66.67,0", "29999,1,10,0,0.033",
			"0,4,0,100,0", "3000,0,1,0,0.033" })
	void ratesAreRounded(long delivered, long bounced, long complained, double bounceRate, double complaintRate) {
		Reputations.Figures figures = new Reputations.Figures(delivered, bounced, complained);
		assertThat(figures.bounceRate()).isEqualTo(bounceRate);
		assertThat(figures.complaintRate()).isEqualTo(complaintRate);
	}

	@ParameterizedTest
	@CsvSource({ "0,0,0,healthy", "10000,0,4,healthy", "10000,0,5,warning", "10000,0,10,warning", "10000,0,11,risky",
			"9801,199,0,healthy", "98,2,0,warning", "95,5,0,warning", "94,6,0,risky", "98,2,1,risky" })
	void theStandingIsThatOfTheWorseRate(long delivered, long bounced, long complained, String standing) {
		Reputations.Report report = new Reputations.Report(new Reputations.Figures(delivered, bounced, complained),
				List.of());
		assertThat(report.standing().contractName()).isEqualTo(standing);
	}

	@ParameterizedTest
	@CsvSource({ "550 5.1.1 no such user,5.1.1", "550-5.7.26 not authenticated,5.7.26", "554 gone,other", "'',other",
			"550 1.5.1.1.2 [45.1.1.9],other", "550 5.9.1,other", "550 5.1.1234,other" })
	void theCauseIsTheEnhancedStatusCode(String reply, String cause) {
		assertThat(Reputations.Cause.of(reply)).isEqualTo(cause);
	}

	@Test
	void causesHaveADescriptionAndReportsHaveAdvice() {
		for (String cause : List.of("5.0.0", "5.1.1", "5.2.2", "5.3.4", "5.4.4", "5.5.0", "5.6.0", "5.7.1", "other",
				"complaint")) {
			assertThat(new Reputations.Cause(cause, 1).meaning()).isNotBlank();
		}
		assertThat(new Reputations.Report(new Reputations.Figures(0, 0, 0), List.of()).advice())
			.containsExactly("Nothing was sent in this period");
		assertThat(new Reputations.Report(new Reputations.Figures(9, 0, 0), List.of()).advice())
			.containsExactly("Nothing needs to be done");
		assertThat(new Reputations.Report(new Reputations.Figures(9, 1, 1), List.of()).advice()).hasSize(4);
	}

}
