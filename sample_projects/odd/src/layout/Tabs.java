package	layout;

class	Tabs	{
	int	field	=	1;	int	second;
		void	method	(	int	x	)	{
			/*	tab	*/	class	Local	{	}
		}
 	 	int	mixed;
    	enum	Kind	{	A,	B	}
}
