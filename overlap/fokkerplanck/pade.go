package fokkerplanck

// A pole is a pole θ of the Padé approximation r(z) = Σ weight/(θ - z) of the exponential e^z, which agrees
// with e^z up to order z^11. The sum over poles has a term for each of three poles and for their complex
// conjugates.
type pole struct{ theta, weight complex128 }

var poles = [3]pole{
	{complex(7.4906375288096300922, 1.6215023887783939784),
		complex(-185.54487885755513041, 917.7923648638088502)},
	{complex(6.4705149367015697536, 4.9001211474213864242),
		complex(226.06041189362895375, -305.10335904505314999)},
	{complex(4.0388475344888001542, 8.345600414872215668),
		complex(-43.515533036073823344, 14.015306215640605794)},
}
